// The web page's entry: draws the page and begins. Browser.

import { App } from './app.ts';
import { begin } from './phases.ts';
import { html, render } from './view.ts';

render(html`<${App} />`, document.body);
void begin();
