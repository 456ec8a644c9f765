import http from 'node:http'
import type { FastifyServerOptions } from 'fastify'
import { createServer } from 'vite'
import type { Render } from '#web/door.ts'

/**
 * Screens straight from their sources, renewed in the browser as they are written: Vite's listener comes first, the store's second.
 * No part of the built store.
 */
export async function openVite(opened: AsyncDisposableStack) {
  const server = http.createServer()
  const vite = await createServer({ server: { middlewareMode: true, ws: { server } }, appType: 'custom' })
  opened.defer(() => vite.close())

  const serverFactory: NonNullable<FastifyServerOptions['serverFactory']> = (store) => {
    server.on('request', (request, reply) => vite.middlewares(request, reply, () => store(request, reply)))
    return server
  }
  return { serverFactory, screens: () => vite.ssrLoadModule('./web/render.ts') as Promise<{ render: Render }> }
}
