import { expect, test } from 'vitest';
import { refuseGuessablePassword } from './password-rules.ts';

const ALINE = { place: 'password', email: 'aline.fischer@studio.example', name: 'Aline Fischer' };

const check = (password: string): Promise<unknown> =>
  refuseGuessablePassword({ ...ALINE, password }).catch((thrown: unknown) => thrown);

test.each([
  'administrator',
  'Administrator',
  '1qaz2wsx3edc',
  'password1234',
  'password 1234',
  'Password-2026',
  'password 1234 password',
  '!!Password2026',
  'passwordpassword',
  'aaaaaaaaaaaaaa',
  '123123123123',
  'Muster-2026-!',
  'muster 2026 muster',
])('refuses the common password %s and gives the reason', async (password) => {
  expect(await check(password)).toMatchObject({
    code: 'password_unfit',
    evidence: { place: 'password' },
    message: expect.stringMatching(/too common/),
  });
});

test.each([
  'aline.fischer@studio.example',
  'Aline.Fischer@Studio.example1',
  'aline.fischer',
  'AlineFischer2026',
  'aline_fischer_99',
  'Aline Fischer!',
])('refuses the name or e-mail address of the account: %s', async (password) => {
  expect(await check(password)).toMatchObject({
    code: 'password_unfit',
    evidence: { place: 'password' },
    message: expect.stringMatching(/your name or your e-mail address/),
  });
});

test.each([
  'correct horse battery staple',
  'Xk3vt-9fhqm-2LwPz-aTuRc',
  '847261930582',
  'Aline likes purple tractors',
  'muster the quiet lighthouse',
])('accepts %s', async (password) => {
  expect(await check(password)).toBeUndefined();
});

test('accepts digits where the e-mail address has no letters before its sign', async () => {
  const numbered = { ...ALINE, email: '12@studio.example', password: '847261930582' };
  await refuseGuessablePassword(numbered);
});
