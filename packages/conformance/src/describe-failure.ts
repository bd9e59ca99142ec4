import { z } from 'zod';
import type { Context } from './target/context.ts';
import type { Answer } from './target/exchange.ts';
import { describeAnswer, describeRequest } from './target/exchange.ts';

/** Marks an error with the answer that it is about, where requests ran side by side. */
export const blame = (error: unknown, answer: Answer): unknown =>
  error instanceof Error && !('answer' in error) ? Object.assign(error, { answer }) : error;

const answerOf = (error: unknown, context: Context): Answer | undefined =>
  error instanceof Error && 'answer' in error ? (error.answer as Answer) : context.lastAnswer;

const messageOf = (error: unknown): string => {
  if (error instanceof z.ZodError) return `Not the documented shape:\n${z.prettifyError(error)}`;
  return error instanceof Error ? error.message : String(error);
};

/** The sentence, what went wrong, the request as curl (its token redacted) and the answer. */
export const describeFailure = (title: string, error: unknown, context: Context): string => {
  const answer = answerOf(error, context);
  const exchange = answer
    ? [describeRequest(context.target.settings.baseUrl, answer.request), describeAnswer(answer)]
    : ['(no request was answered)'];
  return [title, messageOf(error), ...exchange].join('\n');
};
