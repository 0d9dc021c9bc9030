// `Retry-After` (RFC 9110 §10.2.3): seconds, or a date in one of the three forms of HTTP (§5.6.7). Pure.

const SECOND_MS = 1_000;
const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const CLOCK = '(?<clock>[0-2]\\d:[0-5]\\d:[0-6]\\d)';
const FORMS = [
  new RegExp(`^\\w{3}, (?<day>\\d\\d) (?<month>${MONTHS}) (?<year>\\d{4}) ${CLOCK} GMT$`),
  new RegExp(`^\\w{6,9}, (?<day>\\d\\d)-(?<month>${MONTHS})-(?<year>\\d\\d) ${CLOCK} GMT$`),
  new RegExp(`^\\w{3} (?<month>${MONTHS}) (?<day>[ \\d]\\d) ${CLOCK} (?<year>\\d{4})$`),
];

/**
 * Returns the whole seconds to wait, rounded up, 0 for a past date; null if the text has neither form. A date is relative to `date`, the
 * answer's own `Date`; without a `Date`, to `nowMs` (Unix milliseconds).
 */
export function retryAfterSeconds(text: string, date: string, nowMs: number): number | null {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = httpDateMs(text, nowMs);
  if (at === null) return null;
  return Math.max(0, Math.ceil((at - (httpDateMs(date, nowMs) ?? nowMs)) / SECOND_MS));
}

/** Returns the Unix milliseconds of a date of HTTP. A two-digit year is at most 50 years ahead. */
function httpDateMs(text: string, nowMs: number): number | null {
  const parts = FORMS.map(form => form.exec(text)?.groups).find(groups => groups !== undefined);
  if (parts === undefined) return null;
  const { day = '', month = '', year = '', clock = '' } = parts;
  const thisYear = new Date(nowMs).getUTCFullYear();
  let fullYear = Number(year);
  if (year.length === 2) {
    fullYear += thisYear - (thisYear % 100);
    if (fullYear > thisYear + 50) fullYear -= 100;
  }
  const [hours, minutes, seconds] = clock.split(':').map(Number);
  const at = new Date(Date.UTC(fullYear, MONTHS.split('|').indexOf(month), Number(day), hours, minutes, seconds));
  return at.getUTCDate() === Number(day) ? at.getTime() : null;
}
