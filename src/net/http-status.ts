// Statuses of HTTP that more than one place compares with. Any thread.

export const HTTP_OK = 200;
