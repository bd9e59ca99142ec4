import { readFailure } from '../api/api-error.ts';
import { notifyError } from '../components/notify.ts';

/** The whole page is loaded anew afterwards, so that nothing of the account stays in memory. */
export const signOut = async (): Promise<void> => {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('/admin/auth/sign-out', { method: 'POST', headers, body: '{}' });
    if (!response.ok) throw await readFailure(response);
    window.location.assign('/login');
  } catch (error) {
    notifyError(error);
  }
};
