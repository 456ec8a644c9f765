import * as build from 'virtual:react-router/server-build'
import { renderToString } from 'react-dom/server'
import { createRequestHandler, type EntryContext, RouterContextProvider, ServerRouter } from 'react-router'
import { apiCallerContext } from '#web/api-caller.ts'
import { callApi } from '#web/call-api.ts'
import { type ShopConfig, shopConfigContext } from '#web/shop-config.ts'

/**
 * Built beside the store's renderer, from the same modules: what pages are measured beside.
 * @param address of the store whose API has the data
 * @returns renders the tree of this page by React's `renderToString` alone: no loading, no loader data in the page, no bytes
 */
export async function createReferenceRenderer(address: string, path: string, shopConfig: ShopConfig): Promise<() => string> {
  const request = new Request(address + path)
  let render: (() => string) | undefined
  function keepTree(_request: Request, _status: number, _headers: Headers, context: EntryContext) {
    const { serverHandoffStream: _, ...tree } = context
    render = () => renderToString(<ServerRouter context={tree as EntryContext} url={request.url} />)
    return new Response()
  }
  const context = new RouterContextProvider()
  context.set(apiCallerContext, (endpoint, input) => callApi(endpoint, input, (path, apiRequest) => fetch(address + path, apiRequest)))
  context.set(shopConfigContext, shopConfig)
  await createRequestHandler({ ...build, entry: { module: { ...build.entry.module, default: keepTree } } }, 'production')(request, context)
  if (!render) throw new Error(`${path} was not rendered`)
  return render
}
