// The peer *Colyseus*: rooms in memory, joined through its HTTP matchmaking. A join reserves a seat and is not durable.
import { matchMaker, Room, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { jwtVerify } from 'jose';

const SECRET = new TextEncoder().encode(process.env.AUTH_JWT_SECRET);
const FIRST_ROOM = Number(process.env.FIRST_ROOM);
const ROOMS = Number(process.env.ROOMS);
const SEATS = Number(process.env.SEATS);
/** The benchmark opens no WebSocket: the reservation is the join, and has to outlive the run. */
const RESERVATION_SECONDS = 24 * 60 * 60;

class GameRoom extends Room {
  /**
   * Rooms are idle between joins: no simulation, and a patch once a day. With none at all (null), each room's clock would tick 60
   * times a second, which costs a whole processor for 20,000 rooms.
   */
  patchRate = 24 * 60 * 60 * 1_000;
  autoDispose = false;
  maxClients = SEATS;
  seatReservationTimeout = RESERVATION_SECONDS;

  /** The same credential as everywhere: one token per player, verified on each join. */
  static async onAuth(token) {
    const { payload } = await jwtVerify(token, SECRET, { algorithms: ['HS256'] });
    return payload;
  }

  onCreate({ roomId }) {
    this.roomId = roomId;
  }
}

const server = new Server({
  transport: new WebSocketTransport(),
  greet: false,
  gracefullyShutdown: false,
  /** An error is answered with status 200, too: what counts is the seats that are taken or reserved. */
  express: (app) => {
    app.get('/seats', async (_request, response) => {
      const rooms = await matchMaker.query({});
      response.json(rooms.reduce((seats, { clients }) => seats + clients, 0));
    });
  },
});
server.define('game', GameRoom);
await server.listen(0, '127.0.0.1');
for (let room = FIRST_ROOM; room < FIRST_ROOM + ROOMS; room += 1) {
  await matchMaker.createRoom('game', { roomId: `room-${room}` });
}
const { port } = server.transport.server.address();
process.stdout.write(`ready at http://127.0.0.1:${port}\n`);
