import { Box, Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { AnswerHeading } from '../../ui/answer-heading.tsx';
import { CopyableId, JsonBlock } from '../../ui/copyable.tsx';
import { Tag } from '../../ui/facts.tsx';
import type { RequestFields } from './public-request.ts';
import { toRequest, writeCurl } from './public-request.ts';
import type { Exchange, PublicAnswer } from './read-public-history.ts';
import { readPublicHistory } from './read-public-history.ts';

type AnswerViewProps = { pages: ReturnType<typeof usePagination>; answer: PublicAnswer };

/** The request and the response, as they were sent. */
export const AnswerView = ({ pages, answer }: AnswerViewProps) => {
  const { exchange, page, error } = answer;
  return (
    <section className="column" aria-labelledby="answer">
      <Box component="h2" m={0} fz="lg" fw={600}>
        Request
      </Box>
      <JsonBlock label="request line" value={`${exchange.method} ${shorten(exchange.url)}`} />
      <JsonBlock label="curl" value={writeCurl(exchange.url, pages.hasToken)} />
      <Group gap="sm" justify="space-between">
        <Group gap="sm">
          <AnswerHeading id="answer" answer={answer}>
            {page ? `Page ${pages.pageNumber}` : 'Refused'}
          </AnswerHeading>
          <Status exchange={exchange} />
          {page && <Text size="xs">{describePage(page.transactions.length, page.page_meta)}</Text>}
          {exchange.requestId && <CopyableId id={exchange.requestId} label="request id" short />}
        </Group>
        <Group gap="xs">
          <Button variant="default" disabled={!pages.previous} onClick={pages.previous}>
            Previous
          </Button>
          <Button
            variant="default"
            disabled={!pages.next}
            loading={pages.isBusy}
            onClick={pages.next}
          >
            Next
          </Button>
        </Group>
      </Group>
      {error && (
        <Box component="p" m={0} c="var(--muster-bad)" className="anywhere" role="alert">
          {error.message}
        </Box>
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

/** The HTTP request line. */
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

type Begun = { fields: RequestFields; token: string | undefined };
type Pages = { begun: Begun; answers: PublicAnswer[]; at: number };

/** The pages of a history, one request at a time. Loaded pages remain visible. */
export const usePagination = (sandbox: string) => {
  const [pages, setPages] = useState<Pages | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** The reason why the request could not be sent. */
  const [problem, setProblem] = useState<string>();
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const ask = async (begun: Begun, known: PublicAnswer[], cursor?: string) => {
    controller.current?.abort();
    const own = new AbortController();
    controller.current = own;
    setBusy(true);
    setProblem(undefined);
    const { origin: baseUrl } = window.location;
    try {
      const request = toRequest(begun.fields, { baseUrl, sandbox, token: begun.token, cursor });
      const answers = [...known, await readPublicHistory(request, own.signal)];
      setPages({ begun, answers, at: answers.length - 1 });
    } catch (error) {
      if (!own.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      if (controller.current === own) setBusy(false);
    }
  };

  const answer = pages?.answers[pages.at];
  const cursor = answer?.page?.page_meta.cursor;
  return {
    answer,
    isBusy,
    problem,
    hasToken: pages?.begun.token !== undefined,
    pageNumber: (pages?.at ?? 0) + 1,
    start: (begun: Begun) => ask(begun, []),
    next:
      pages && cursor !== undefined
        ? () => {
            if (pages.at + 1 < pages.answers.length) setPages({ ...pages, at: pages.at + 1 });
            else void ask(pages.begun, pages.answers, cursor);
          }
        : undefined,
    previous: pages && pages.at > 0 ? () => setPages({ ...pages, at: pages.at - 1 }) : undefined,
  };
};
