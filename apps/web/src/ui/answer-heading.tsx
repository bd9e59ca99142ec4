import type { ComponentProps } from 'react';
import { useEffect, useRef } from 'react';
import classes from './answer-heading.module.css';

type AnswerHeadingProps = Omit<ComponentProps<'h2'>, 'ref' | 'tabIndex' | 'className'> & {
  /** The content below. When it changes, the heading receives the focus. */
  answer: unknown;
};

/** The heading of a response on an open page. Screen readers announce it, and Tab continues from it. */
export const AnswerHeading = ({ answer, ...heading }: AnswerHeadingProps) => {
  const ref = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new response moves the focus.
  useEffect(() => ref.current?.focus(), [answer]);
  return <h2 {...heading} ref={ref} tabIndex={-1} className={classes.heading} />;
};
