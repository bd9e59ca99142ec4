import { Table, Title } from '@mantine/core';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { Tag } from '../../components/tag/tag.tsx';
import { JsonBlock } from '../../features/sessions/json-block.tsx';
import { STATUS_WORDS } from './status-words.ts';
import classes from './try-it.module.css';
import type { Tried } from './try-it-request.ts';

/** Request and answer, as the public endpoint had and gave them. */
export const TryItAnswer = ({ tried }: { tried: Tried | null }) => (
  <section className={classes.answer} aria-label="Answer">
    <div aria-live="polite">{tried && <Outcome tried={tried} />}</div>
    {tried ? (
      <Answer tried={tried} />
    ) : (
      <EmptyState title="No join was sent yet">
        Choose a session and a player, then send. A join that is tried is a real one: the player
        gets the seat. Request, answer and the curl command appear here.
      </EmptyState>
    )}
  </section>
);

/** The one line that is also read out. */
const Outcome = ({ tried: { status, body } }: { tried: Tried }) => {
  const { desc } = (body ?? {}) as { desc?: string };
  return (
    <div className={classes.status}>
      <Tag tone={status < 300 ? 'good' : 'bad'}>{status}</Tag>
      <strong>{desc ?? STATUS_WORDS[status] ?? 'The service answered.'}</strong>
    </div>
  );
};

const Answer = ({ tried }: { tried: Tried }) => {
  const { headers, body, request, curl } = tried;
  return (
    <>
      <Title order={2}>Answer</Title>
      <Table className={classes.headers} withRowBorders={false} aria-label="Headers of the answer">
        <Table.Tbody>
          {Object.entries(headers).map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td className="mono">{String(value)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <JsonBlock label="answer body" value={body} />
      <Title order={2}>Request</Title>
      <JsonBlock label="path" value={`${request.method} ${request.path}`} />
      <JsonBlock label="request body" value={request.body} />
      <Title order={2}>The same by curl</Title>
      <JsonBlock label="curl command" value={curl} />
    </>
  );
};
