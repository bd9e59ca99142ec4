import { Agent, request } from 'node:http';
import { expect, test } from 'vitest';
import { useTransferCatalogue } from './transfer-client.ts';

const opened = useTransferCatalogue();

/** One connection for all, as a browser or a proxy keeps it. */
const createUploader = async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = await opened.service.headers();
  const upload = (query: string, file: string | Buffer) =>
    new Promise<number>((resolve, reject) => {
      const path = `/admin/import/${opened.sandbox}/item?${query}`;
      const sent = request(`${opened.service.baseUrl}${path}`, { agent, method: 'POST', headers });
      sent.on('error', reject).on('response', (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      });
      sent.end(file);
    });
  return { upload, close: () => agent.destroy() };
};

const REST = 'x'.repeat(8 * 1_048_576);

test.each([
  ['a line that is too long', '', REST, 200],
  ['an unknown column', 'format=csv', `name,colour\n${'a,b\n'.repeat(1_000_000)}`, 200],
  ['what is no CSV', 'format=csv', `name,item_type\nn"x,unit\n${REST}`, 200],
  ['what is no UTF-8', '', Buffer.concat([Buffer.from([0xff]), Buffer.from(REST)]), 400],
  ['too many rows', '', '{}\n'.repeat(500_000), 413],
])(
  'after %s the connection takes the next file',
  async (_what, query, file, status) => {
    const { upload, close } = await createUploader();
    expect(await upload(query, file)).toBe(status);
    expect(await upload('', '{"name":"Bow","item_type":"unit"}')).toBe(200);
    close();
  },
  20_000,
);
