import { expect, test } from 'vitest';
import { refuseCommonPassword } from './password-rules.ts';

test.each([
  'administrator',
  'Administrator',
  '1qaz2wsx3edc',
  'password1234',
  '!!Password2026',
  'passwordpassword',
  'aaaaaaaaaaaaaa',
  '123123123123',
])('refuses the common password %s and gives the reason', async (password) => {
  const error = await refuseCommonPassword(password, 'password').catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'password_unfit', evidence: { place: 'password' } });
  expect(error.message).toMatch(/too common/);
});

test.each(['correct horse battery staple', 'Xk3vt-9fhqm-2LwPz-aTuRc', '847261930582'])(
  'accepts %s',
  async (password) => {
    await refuseCommonPassword(password, 'password');
  },
);
