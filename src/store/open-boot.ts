// The mark with the boot of the machine under which the ledger was last opened. After another boot (power cut) events sent to
// clients may be lost, and cursors skip ahead. Any thread.

export const OPEN_BOOT_MARK = 'open-boot';
/** For a copy, and for a ledger that may have lost its end: equals no boot id. */
export const UNKNOWN_BOOT = 'copy';
/** Everything is on disk. */
export const CLOSED_CLEAN = '';
