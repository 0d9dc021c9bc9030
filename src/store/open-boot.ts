// The mark that says under which boot of the machine the ledger was opened last: under another one, events that clients were told of
// may be lost (power cut), and cursors leap. Any thread.

export const OPEN_BOOT_MARK = 'open-boot';
/** Of a copy, and of a ledger that may have lost its end: equal to no boot id. */
export const UNKNOWN_BOOT = 'copy';
/** Everything is on disk. */
export const CLOSED_CLEAN = '';
