// Cost of an HTTP answer without a gateway: bare uWebSockets.js with the same bodies, which ignores the request. A
// process of its own, as the gateway is.

import { App, us_socket_local_port } from 'uWebSockets.js';
import type { BareBodies } from '../load/messages.ts';
import { answerParent } from '../load/process-answers.ts';

process.once('message', (bodies: BareBodies) => {
  const app = App();
  for (const [path, body] of Object.entries(bodies)) {
    app.get(path, response => {
      response.writeHeader('Content-Type', 'application/json').end(body);
    });
    app.post(path, response => {
      response.onAborted(() => {});
      response.onData((_chunk, isLast) => {
        if (isLast) response.writeStatus('201 Created').writeHeader('Content-Type', 'application/json').end(body);
      });
    });
  }
  app.listen('127.0.0.1', 0, token => {
    if (token === false) throw new Error('cannot listen');
    process.send?.(us_socket_local_port(token));
    answerParent();
  });
});
