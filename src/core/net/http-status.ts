// The HTTP statuses with which several modules compare. Any thread.

export const HTTP_OK = 200;
export const HTTP_CREATED = 201;
export const HTTP_BAD_REQUEST = 400;
export const HTTP_UNAUTHORIZED = 401;
export const HTTP_FORBIDDEN = 403;
export const HTTP_NOT_FOUND = 404;
export const HTTP_REQUEST_TIMEOUT = 408;
export const HTTP_CONFLICT = 409;
/** Another server must answer the request. */
export const HTTP_MISDIRECTED = 421;
export const HTTP_TOO_MANY = 429;
/** The lowest status of a server's failure. The request may have had an effect. */
export const HTTP_SERVER_ERROR = 500;
export const HTTP_BAD_GATEWAY = 502;
export const HTTP_UNAVAILABLE = 503;
export const HTTP_GATEWAY_TIMEOUT = 504;

/** Whether the status says that the request is done, or accepted to be done. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
