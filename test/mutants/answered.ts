// Small changes of what a caller hears of its order.

export const ANSWERED = [
  {
    name: 'a repeat of a refusal has another code than the refusal',
    file: 'src/orders/life/answers.ts',
    search: "return error?.code ?? 'UNKNOWN';",
    replace: "return 'UNKNOWN';",
    tests: ['test/orders/life/repeat.test.ts'],
  },
  {
    name: 'an order lives longer than its time',
    file: 'src/core/wire/order-requests.ts',
    search: 'isoMillisOf(seconds) ?? 0',
    replace: 'isoMillisOf(text) ?? 0',
    tests: ['test/core/wire/order-requests.test.ts'],
  },
];
