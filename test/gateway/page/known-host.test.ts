// The names of this machine under which the gateway serves the page.

import { expect, it } from 'vitest';
import { isKnownHost } from '../../../src/gateway/page/page-routes.ts';

it.each(['127.0.0.1', '127.0.0.1:8080', 'localhost', 'LocalHost:8080', '[::1]:8080', '[::1]', '10.0.0.7:443'])(
  '%s is known',
  host => expect(isKnownHost(host)).toBe(true),
);

it.each([
  'evil.example',
  'evil.example:8080',
  '127.0.0.1.evil.example',
  'localhost.evil.example:8080',
  'notlocalhost',
  '::1',
  '[127.0.0.1]:8080',
  '[::1',
  '127.0.0.1:8080:1',
  'localhost:123456',
  '127.0.0.1, evil.example',
  '',
])('%j is foreign', host => expect(isKnownHost(host)).toBe(false));
