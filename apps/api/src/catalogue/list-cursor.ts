import { text, Uuid } from '@muster/contract';
import { z } from 'zod';
import { ServiceError } from '../errors/service-error.ts';

/** Where a page of an admin list ended: the last name in the list's order, and the id that breaks ties. */
export type ListPosition = { name: string; id: string };

const Position = z.tuple([text(0), Uuid]);

export const encodeListCursor = ({ name, id }: ListPosition): string =>
  Buffer.from(JSON.stringify([name, id]), 'utf8').toString('base64url');

/** Throws input_invalid for what this service never gave out. */
export const decodeListCursor = (cursor: string): ListPosition => {
  try {
    const [name, id] = Position.parse(
      JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')),
    );
    return { name, id };
  } catch (cause) {
    throw new ServiceError('input_invalid', { desc: 'The cursor is not one of this list.', cause });
  }
};
