import type { ComponentProps } from 'react';
import { useEffect, useRef } from 'react';
import classes from './answer-heading.module.css';

type AnswerHeadingProps = Omit<ComponentProps<'h2'>, 'ref' | 'tabIndex' | 'className'> & {
  /** What stands below: whenever it is another one, the heading takes the focus. */
  answer: unknown;
};

/** Over what the service answers on an open page: screen readers read it, and Tab goes on from it. */
export const AnswerHeading = ({ answer, ...heading }: AnswerHeadingProps) => {
  const ref = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new answer takes the focus.
  useEffect(() => ref.current?.focus(), [answer]);
  return <h2 {...heading} ref={ref} tabIndex={-1} className={classes.heading} />;
};
