import type { FastifyReply, FastifyRequest } from 'fastify'

/** What else is done when a buyer's browser has reported a payment, before it is answered: set by modules that orders know nothing of. */
export type PaymentHook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>
