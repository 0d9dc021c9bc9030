// Statuses of HTTP that more than one place compares with. Any thread.

export const HTTP_OK = 200;
export const HTTP_UNAUTHORIZED = 401;
