// The packages that draw the page. Each is imported only here, so that one can see at a glance what the bundle contains. Browser.

import { effect as react, signal as store } from '@preact/signals';
import htm from 'htm';
import { type ComponentChildren, h, render as renderInto, type VNode } from 'preact';
import UPlot from 'uplot';

export type Children = ComponentChildren;
export type Plot = UPlot;
export type PlotData = UPlot.AlignedData;
export type PlotOptions = UPlot.Options;

/** A piece of the page: its tags as a template, without a compiler. */
export const html = htm.bind(h) as (strings: TemplateStringsArray, ...values: readonly unknown[]) => VNode;

export const signal = store;

export const effect = react;
export const render = renderInto;

export function plot(options: PlotOptions, data: PlotData, into: HTMLElement): Plot {
  return new UPlot(options, data, into);
}
