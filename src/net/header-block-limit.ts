// How large a header block uWebSockets.js takes: it asks the environment once, when its binary is loaded, so this module
// must come before it. A larger one is answered 431 and closed. Works on the main thread, whose environment is the process's;
// a worker thread that loads the binary first leaves it at its own 4 KiB.

import { limits } from '../limits.ts';

process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(limits.headerBytesMax);
