// The peer *Payload*: its REST API over the versions of a collection on PostgreSQL, without the Next.js around it and
// without a credential, both of which would cost it time.
import { createServer } from 'node:http';
import { postgresAdapter } from '@payloadcms/db-postgres';
import { buildConfig, getPayload, handleEndpoints } from 'payload';

const everyone = () => true;

const config = await buildConfig({
  secret: 'only for the benchmark',
  telemetry: false,
  db: postgresAdapter({
    pool: { connectionString: process.env.DATABASE_URL, max: 10 },
    idType: 'uuid',
    // Makes the tables of an empty database.
    push: process.env.PUSH === '1',
  }),
  collections: [
    { slug: 'people', auth: true, fields: [] },
    {
      slug: 'items',
      access: { read: everyone, readVersions: everyone },
      versions: { maxPerDoc: 0 },
      fields: [
        { name: 'name', type: 'text', index: true },
        { name: 'description', type: 'text' },
        { name: 'item_type', type: 'text' },
        { name: 'custom_data', type: 'json' },
      ],
    },
  ],
});
await getPayload({ config });

const server = createServer(async (request, response) => {
  const { url, headers } = request;
  const answer = await handleEndpoints({
    config,
    request: new Request(`http://127.0.0.1${url}`, { headers }),
  });
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready at http://127.0.0.1:${server.address().port}\n`);
});
