// Node's HTTP, without an `import` of node:http. An import would read all exports, and so load Node's WebSocket client. This would cost
// each thread and each command 70 ms of processor time. Any thread.

export const { Agent, request, STATUS_CODES } = process.getBuiltinModule('node:http');
