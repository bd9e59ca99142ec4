import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import { Tag } from '../../components/tag/tag.tsx';
import { JsonBlock } from '../../features/sessions/json-block.tsx';
import classes from './public.module.css';
import type { Exchange, PublicAnswer } from './read-public-history.ts';
import type { useWalk } from './use-walk.ts';
import { writeCurl } from './write-curl.ts';

type AnswerViewProps = { walk: ReturnType<typeof useWalk>; answer: PublicAnswer };

/** Request and answer, as they went over the wire. */
export const AnswerView = ({ walk, answer }: AnswerViewProps) => {
  const { exchange, page, error } = answer;
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new answer takes the focus.
  useEffect(() => heading.current?.focus(), [answer]);
  return (
    <section className={classes.answer} aria-labelledby="answer">
      <h2 className={classes.heading}>Request</h2>
      <JsonBlock label="request line" value={`${exchange.method} ${shorten(exchange.url)}`} />
      <JsonBlock label="curl" value={writeCurl(exchange.url, walk.hasToken)} />
      <Group gap="sm" justify="space-between">
        <Group gap="sm">
          <h2 id="answer" ref={heading} tabIndex={-1} className={classes.heading}>
            {page ? `Page ${walk.pageNumber}` : 'Refused'}
          </h2>
          <Status exchange={exchange} />
          {page && <Text size="xs">{describePage(page.transactions.length, page.page_meta)}</Text>}
          {exchange.requestId && <CopyableId id={exchange.requestId} label="request id" short />}
        </Group>
        <Group gap="xs">
          <Button variant="default" disabled={!walk.previous} onClick={walk.previous}>
            Previous
          </Button>
          <Button variant="default" disabled={!walk.next} loading={walk.isBusy} onClick={walk.next}>
            Next
          </Button>
        </Group>
      </Group>
      {error && (
        <p className={classes.refusal} role="alert">
          {error.message}
        </p>
      )}
      {exchange.body !== undefined && <JsonBlock label="answer" value={pretty(exchange.body)} />}
    </section>
  );
};

const Status = ({ exchange: { status, statusText, durationMs } }: { exchange: Exchange }) => {
  if (status === undefined) return <Tag tone="bad">no answer</Tag>;
  return (
    <>
      <Tag tone={status < 300 ? 'good' : 'bad'}>
        {status} {statusText}
      </Tag>
      <Text size="xs" c="dimmed" className="numbers">
        {Math.round(durationMs)} ms
      </Text>
    </>
  );
};

const describePage = (count: number, { total, cursor }: { total?: number; cursor?: string }) => {
  const all = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
  const words = (total ?? count) === 1 ? 'version' : 'versions';
  return `${count.toLocaleString('en')}${all} ${words}${cursor === undefined ? ', the last page' : ''}`;
};

/** A request line names the path, as the wire does. */
const shorten = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};
