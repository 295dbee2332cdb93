import { describe, expect, it } from 'vitest';
import { cleanLine } from './line.ts';

describe('claim: names-visible', () => {
  it.each([
    ['Admin\u200b', 'Admin'],
    ['Ad\u00admin', 'Admin'],
    ['\u2060Ad\u034fmin\ufeff', 'Admin'],
    ['Ann\r\nBcc: evil', 'Ann Bcc: evil'],
    ['Ann\u2028Lee\u2029', 'Ann Lee'],
    ['exe.\u202egpj', 'exe.gpj'],
    ['\u2066Ann\u2069', 'Ann'],
    ['Ann\u00a0\t Lee', 'Ann Lee'],
    ['Ad\u200dmin', 'Admin'],
    ['Ad\ufe0fmin', 'Admin'],
    ['1\ufe0f', '1'],
    ['A\u{e0041}\u{e0042}nn', 'Ann'],
    ['\u3164', ''],
    ['\uffa0\u115f\u1160', ''],
    ['\u2800\u2800', ''],
    ['\u200b \u2060', ''],
    ['\u0301', ''],
  ])('%j becomes %j', (given, kept) => {
    expect(cleanLine(given)).toBe(kept);
  });

  it.each([
    'می\u200cخواهم',
    'क्\u200dष',
    'ශ්\u200dරී',
    'ക്\u200c',
    '👩🏽\u200d💻',
    '❤\ufe0f\u200d🔥',
    '👩\u200d👩\u200d👧',
    '1\ufe0f\u20e3',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    '🏴\u200d☠\ufe0f',
    '葛\u{e0100}城',
    'ᠭ\u180b',
    'Nguyễn Thị',
    "O'Brien-Müller",
    'מרים',
    '김철수',
    '-',
  ])('%j stays', (name) => {
    expect(cleanLine(name)).toBe(name);
  });
});
