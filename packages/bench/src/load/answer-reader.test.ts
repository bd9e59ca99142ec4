import { expect, test } from 'vitest';
import { AnswerReader, UnreadableAnswerError } from './answer-reader.ts';

const answer = (status: string, headers: string[], body: string) =>
  Buffer.from([`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n'));

const whole = ({ length }: Buffer) => ({ status: 200, hasRetryAfter: false, bytes: length });

test('an answer is whole only with the last byte of its body, however it is cut', () => {
  const bytes = answer('200 OK', ['Date: today', 'Content-Length: 11'], 'hello world');
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const reader = new AnswerReader();
    expect(reader.read(bytes.subarray(0, cut))).toBeNull();
    expect(reader.read(bytes.subarray(cut))).toEqual(whole(bytes));
  }
});

test('a body that looks like a header is not taken for one', () => {
  const body = '\r\nContent-Length: 99999\r\n';
  const bytes = answer('200 OK', [`content-length: ${body.length}`], body);
  expect(new AnswerReader().read(bytes)).toEqual(whole(bytes));
});

test('a chunked answer ends with its last chunk', () => {
  const reader = new AnswerReader();
  const bytes = answer('200 OK', ['Transfer-Encoding: chunked'], '5\r\nhello\r\n0\r\n\r\n');
  expect(reader.read(bytes.subarray(0, -3))).toBeNull();
  expect(reader.read(bytes.subarray(-3))?.status).toBe(200);
});

test('a refusal tells whether it says when to come back', () => {
  const read = (headers: string[]) => new AnswerReader().read(answer('409 Conflict', headers, ''));
  expect(read(['Content-Length: 0', 'Retry-After: 1'])?.hasRetryAfter).toBe(true);
  expect(read(['Content-Length: 0'])?.hasRetryAfter).toBe(false);
});

test('the next answer on the connection starts afresh', () => {
  const reader = new AnswerReader();
  reader.read(answer('200 OK', ['Content-Length: 2'], 'ok'));
  expect(reader.read(answer('404 Not Found', ['Content-Length: 0'], ''))?.status).toBe(404);
});

test('an answer without a length is refused instead of waited for', () => {
  const bytes = answer('200 OK', ['Connection: close'], 'all of it');
  expect(() => new AnswerReader().read(bytes)).toThrow(UnreadableAnswerError);
});
