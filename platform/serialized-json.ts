import type { FastifyReply } from 'fastify'

/** Sends JSON that is already serialized. */
export async function sendSerializedJson(reply: FastifyReply, json: string): Promise<void> {
  await reply.type('application/json; charset=utf-8').send(json)
}
