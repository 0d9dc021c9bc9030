// Keeps a plot as long as its element exists. The plot is as wide as its panel, and is drawn again when the data change. Browser.

import { effect, type Plot, type PlotData, type PlotOptions, plot } from './view.ts';

const HEIGHT = 190;
/** The width before the panel is measured. */
const WIDTH = 400;

export const AXIS = { stroke: '#8895a3', grid: { stroke: '#8895a330' }, ticks: { stroke: '#8895a330' } };

export type ChartOptions = Omit<PlotOptions, 'width' | 'height'>;

/** Returns the ref for the plot's element. */
export function charted(options: ChartOptions, read: () => PlotData): (element: HTMLElement | null) => void {
  let end = (): void => {};
  return element => {
    end();
    if (element !== null)
      end = draw(plot({ ...options, width: WIDTH, height: HEIGHT }, read(), element), element, read);
  };
}

function draw(drawn: Plot, element: HTMLElement, read: () => PlotData): () => void {
  const stop = effect(() => drawn.setData(read()));
  const sizes = new ResizeObserver(() => {
    if (element.clientWidth > 0) drawn.setSize({ width: element.clientWidth, height: HEIGHT });
  });
  sizes.observe(element);
  return () => {
    stop();
    sizes.disconnect();
    drawn.destroy();
  };
}
