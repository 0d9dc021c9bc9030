// Sets the largest header block that uWebSockets.js accepts. The library reads the environment once, when its binary loads, so import this
// module first. A larger block gets a 431 and a closed connection. This works only on the main thread, which owns the process's
// environment. If a worker thread loads the binary first, the library's own 4 KiB apply.

import { limits } from '../../limits.ts';

process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(limits.headerBytesMax);
