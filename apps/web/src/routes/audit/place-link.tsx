import { Link } from '@tanstack/react-router';
import type { Place } from './read-target.ts';

/** Leads to the page of what was changed. */
export const PlaceLink = ({ place }: { place: Place }) => {
  switch (place.to) {
    case 'item':
      return (
        <Link to="/s/$sandbox/items/$id" params={place} search={{ tab: 'history' }}>
          Open the Item
        </Link>
      );
    case 'xp':
      return (
        <Link to="/s/$sandbox/xp/$id" params={place} search={{ tab: 'history' }}>
          Open the Xp table
        </Link>
      );
    case 'session':
      return (
        <Link to="/sessions/$type/$id" params={place}>
          Open the session
        </Link>
      );
    case 'player':
      return (
        <Link to="/players/$id" params={place}>
          Open the player
        </Link>
      );
    case 'key':
      return (
        <Link to="/keys" search={{ key: place.id }}>
          Open the key
        </Link>
      );
    case 'sandbox':
      return (
        <Link to="/s/$sandbox" params={{ sandbox: place.id }}>
          Open the sandbox
        </Link>
      );
  }
};
