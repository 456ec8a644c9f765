import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

/*
 * Loaded into the store's process before the store (`node --import`): says every route that Fastify opens, wherever in the store and by
 * whichever package, so that a table of them can be held against the real list. The store knows nothing of it.
 */
let servers = 0
subscribe('fastify.initialization', (message) => {
  if (!isInitializationMessage(message)) return
  const nth = ++servers // the card sandbox is one too
  message.fastify.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) console.log(`server ${nth} opens ${each} ${url}`)
  })
})

const isInitializationMessage = (message: unknown): message is { fastify: FastifyInstance } =>
  typeof message === 'object' && message !== null && 'fastify' in message
