// Node's HTTP. An `import` of node:http would read all that it exports, and so load Node's WebSocket client. That costs each thread and each
// command 70 ms of processor time. Any thread.

export const { Agent, request, STATUS_CODES } = process.getBuiltinModule('node:http');
