// Sends the request of a curl command without curl: the shell reads the command, and fetch sends the request.
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';

/** In place of the program: prints its arguments. */
const PRINT_ARGUMENTS = `curl() { printf '%s\\0' "$@"; }`;

/** Throws on an option that is not in this list. */
const OPTIONS = {
  silent: { type: 'boolean', short: 's' },
  'show-error': { type: 'boolean', short: 'S' },
  include: { type: 'boolean', short: 'i' },
  request: { type: 'string', short: 'X' },
  header: { type: 'string', short: 'H', multiple: true },
  data: { type: 'string', short: 'd' },
  'data-raw': { type: 'string' },
} as const;

/** `variables` are those that the command names, such as `$TOKEN`. */
export const sendCurl = async (
  command: string,
  variables: Record<string, string> = {},
): Promise<Response> => {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${PRINT_ARGUMENTS}\n${command}`], {
    env: { ...process.env, ...variables },
  });
  const args = stdout.split('\0').slice(0, -1);
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [url, ...others] = positionals;
  if (url === undefined || others.length > 0) throw new Error(`Not one URL: ${command}`);
  const { data = values['data-raw'], header = [] } = values;
  const headers = header.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const method = values.request ?? (data === undefined ? 'GET' : 'POST');
  return fetch(url, { method, headers, ...(data !== undefined && { body: data }) });
};
