import http from 'node:http'

/** Hands what the provider sends to every store at once, as two endpoints at the provider would. */
export async function openWebhookRelay() {
  let targets: string[] = []
  const delivered: number[][] = []
  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const headers = { 'content-type': 'application/json', 'stripe-signature': String(request.headers['stripe-signature']) }
    const statuses = await Promise.all(
      targets.map((target) =>
        fetch(`${target}/webhooks/stripe`, { method: 'POST', headers, body: Buffer.concat(parts) }).then(
          ({ status }) => status,
          () => 503,
        ),
      ),
    )
    delivered.push(statuses)
    response.writeHead(Math.max(...statuses)).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  return {
    /** the answers of each delivery, of one store after the other */
    delivered,
    sendTo(addresses: string[]) {
      targets = addresses
      return url
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
