import http from 'node:http'
import type { FastifyServerOptions } from 'fastify'
import { createServer } from 'vite'
import type { RequestRenderer } from '#web/api-caller.ts'

/**
 * Serves screens from their sources with hot module replacement: Vite's listener runs first, then the store's. Not part of the build.
 */
export async function createViteServer(opened: AsyncDisposableStack) {
  const server = http.createServer()
  const vite = await createServer({ server: { middlewareMode: true, ws: { server } }, appType: 'custom' })
  opened.defer(() => vite.close())

  const serverFactory: NonNullable<FastifyServerOptions['serverFactory']> = (store) => {
    server.on('request', (request, reply) => vite.middlewares(request, reply, () => store(request, reply)))
    return server
  }
  return { serverFactory, loadRenderer: () => vite.ssrLoadModule('./web/render.ts') as Promise<{ render: RequestRenderer }> }
}
