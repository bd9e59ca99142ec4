import { Box, Group, Table, Title } from '@mantine/core';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { requirePermission } from '../../../api/me.ts';
import classes from '../../../features/sessions/try-it-form.module.css';
import { TryItForm } from '../../../features/sessions/try-it-form.tsx';
import type { Tried } from '../../../features/sessions/try-it-request.ts';
import { JsonBlock } from '../../../ui/copyable.tsx';
import { Tag } from '../../../ui/facts.tsx';
import { Page, PageRefused } from '../../../ui/page.tsx';
import { explainPermissions } from '../../../ui/permission-labels.ts';
import { EmptyState } from '../../../ui/states.tsx';
import { textParam } from '../../../ui/url-state.tsx';

const TryItSearch = z.object({
  platform: textParam,
  /** The id of the platform session. */
  id: textParam,
  player: textParam,
  /** The version of the client that joins. */
  version: textParam,
  team: z.coerce.number().int().optional().catch(undefined),
});

export const Route = createFileRoute('/_app/sessions/try-it')({
  validateSearch: TryItSearch,
  beforeLoad: ({ context }) =>
    requirePermission(context.me, ['session:*', 'session:update-player:any']),
  component: TryItPage,
  notFoundComponent: () => (
    <PageRefused
      title="Try a join"
      above={<Link to="/sessions">Sessions</Link>}
      refusal="Your account cannot try joins"
    >
      {explainPermissions(['session:update-player:any', 'session:*'])} A person who manages people
      can grant it.
    </PageRefused>
  ),
});

function TryItPage() {
  const search = Route.useSearch();
  const [tried, setTried] = useState<Tried | null>(null);
  return (
    <Page title="Try a join" above={<Link to="/sessions">Sessions</Link>}>
      <div className={classes.layout}>
        <TryItForm search={search} onTried={setTried} />
        <TryItAnswer tried={tried} />
      </div>
    </Page>
  );
}

/** The request to the public endpoint and its response. */
const TryItAnswer = ({ tried }: { tried: Tried | null }) => (
  <Box component="section" className="column raised" p={14} bdrs={8} aria-label="Answer">
    <div aria-live="polite">{tried && <Outcome tried={tried} />}</div>
    {tried ? (
      <Answer tried={tried} />
    ) : (
      <EmptyState title="No join sent yet">
        Choose a session and a player, then send. A join that is tried is a real one: the player
        gets the seat. Request, answer and the curl command appear here.
      </EmptyState>
    )}
  </Box>
);

/** The line that screen readers announce. */
const Outcome = ({ tried: { status, body } }: { tried: Tried }) => {
  const { desc } = (body ?? {}) as { desc?: string };
  return (
    <Group gap={10} wrap="nowrap">
      <Tag tone={status < 300 ? 'good' : 'bad'}>{status}</Tag>
      <strong>{desc ?? STATUS_LABELS[status] ?? 'The service answered.'}</strong>
    </Group>
  );
};

const Answer = ({ tried }: { tried: Tried }) => {
  const { headers, body, request, curl } = tried;
  return (
    <>
      <Title order={2}>Answer</Title>
      <Table
        verticalSpacing={1}
        horizontalSpacing={0}
        withRowBorders={false}
        aria-label="Headers of the answer"
      >
        <Table.Tbody>
          {Object.entries(headers).map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w="9rem" c="dimmed" fw={400}>
                {name}
              </Table.Th>
              <Table.Td className="mono anywhere">{String(value)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <JsonBlock label="answer body" value={body} />
      <Title order={2}>Request</Title>
      <JsonBlock label="path" value={`${request.method} ${request.path}`} />
      <JsonBlock label="request body" value={request.body} />
      <Title order={2}>The same request with curl</Title>
      <JsonBlock label="curl command" value={curl} />
    </>
  );
};

/** Explains a response to a join whose body has no message. */
const STATUS_LABELS: Record<number, string> = {
  200: 'The player has a seat.',
  422: 'The request is not valid: see the fields.',
};
