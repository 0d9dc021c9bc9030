// The mark with the boot of the machine under which the ledger was last opened. After another boot (power cut) events that clients got may
// be lost, and cursors skip ahead. Any thread.

export const OPEN_BOOT_MARK = 'open-boot';
/** The mark of a copy, and of a ledger that may have lost its end: it equals no boot id. */
export const UNKNOWN_BOOT = 'copy';
/** The mark of a ledger that is on disk as a whole. */
export const CLOSED_CLEAN = '';
