// Small changes of what a caller hears of its order.

export const ANSWERED = [
  {
    name: 'a repeat of a refusal has another code than the refusal',
    file: 'src/orders/answers.ts',
    search: "return error?.code ?? 'UNKNOWN';",
    replace: "return 'UNKNOWN';",
    tests: ['test/orders/repeat.test.ts'],
  },
  {
    name: 'an order lives longer than its time',
    file: 'src/wire/order-requests.ts',
    search: 'isoMillisOf(seconds) ?? 0',
    replace: 'isoMillisOf(text) ?? 0',
    tests: ['test/wire/order-requests.test.ts'],
  },
];
