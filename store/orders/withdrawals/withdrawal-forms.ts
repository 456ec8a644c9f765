import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import { enforceNetworkRateLimit, refuseRateLimitedNetwork } from '#platform/rate-limits.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import { readOrderToken } from '#store/orders/order-link.ts'
import { type CardProvider, providerResponseTimeoutMs } from '#store/orders/payments/card-provider.ts'
import { type TypedWithdrawal, WithdrawalBody } from './contract.ts'
import { typedCookie } from './typed-cookie.ts'
import { withdraw } from './withdraw.ts'
import { createWithdrawalPage, readWithdrawalToken } from './withdrawal-link.ts'
import { findErrors, findOrderWithdrawal, toBody } from './withdrawal-page.ts'

type Deps = { db: Database; cards: CardProvider; events: DomainEvents; secret: string; publicUrl: string }

/** Of one network within a day. */
const formLimit = { max: 300, seconds: 86_400 }

type FormRoute = { Params: { token: string } }

/** Lets the routes of this scope read what a plain HTML form sends, and its fields. Given by the module of baskets, which comes after orders. */
export type FormReader = {
  accept: (forms: Pick<HttpApp, 'addContentTypeParser'>) => void
  fieldsOf: (request: FastifyRequest) => Record<string, unknown>
  assertFromThisSite: (request: FastifyRequest) => void
}

/**
 * The two steps of a withdrawal, as forms that work with and without JavaScript: the declaration is looked at again before it is made. The address of
 * the page is the key to it, so that who has no account, or cannot sign in, withdraws as well.
 */
export function registerWithdrawalForms(app: HttpApp, deps: Deps, form: FormReader) {
  const { db, secret, publicUrl } = deps
  const isSecure = publicUrl.startsWith('https:')
  app.register(async (forms) => {
    form.accept(forms)
    const options = { schema: { hide: true }, config: { responseTimeoutMs: providerResponseTimeoutMs } }

    // The page of a guest's order without JavaScript is the same for all of them: its form comes with the token in its address.
    forms.post<FormRoute>('/order/:token', options, (request, reply) => {
      const orderId = readOrderToken(secret, request.params.token)
      return reply.redirect(orderId === undefined ? '/help#contact' : createWithdrawalPage(secret, orderId), 303)
    })

    forms.post<FormRoute>('/withdraw/:token', options, async (request, reply) => {
      const orderId = readWithdrawalToken(secret, request.params.token)
      if (orderId === undefined) return reply.redirect('/help#contact', 303)
      const page = createWithdrawalPage(secret, orderId)
      try {
        form.assertFromThisSite(request)
        refuseRateLimitedNetwork(db, 'withdrawal forms', request.ip, formLimit)
        await enforceNetworkRateLimit(db, 'withdrawal forms', request.ip, formLimit)
        return reply.redirect(`${page}?${await answer(request, reply, orderId)}`, 303)
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        return reply.redirect(`${page}?${new URLSearchParams({ refused: error.code })}`, 303)
      }
    })
  })

  /** @returns the query of the page that follows */
  async function answer(request: FastifyRequest, reply: FastifyReply, orderId: string): Promise<string> {
    const fields = form.fieldsOf(request)
    const typed = readTyped(fields)
    const { token } = request.params as FormRoute['Params']
    reply.header('set-cookie', typedCookie(token, typed, { isSecure }))
    const errors = findErrors(typed, await findOrderWithdrawal(db, secret, orderId))
    if (Object.keys(errors).length > 0) return 'refused=form'
    if (fields.send !== 'withdraw') return 'step=confirm'
    const body = WithdrawalBody.parse(toBody(typed))
    await withdraw(db, deps.cards, { role: 'guest', orderId }, orderId, body).finally(deps.events.orderWithdrawn)
    return 'step=done'
  }
}

/** The fields of the form: `pieces.<id>` of each line. */
function readTyped(fields: Record<string, unknown>): TypedWithdrawal {
  const text = (name: string, max: number) => `${fields[name] ?? ''}`.slice(0, max)
  const pieces = Object.keys(fields).flatMap((name) => {
    const [, id] = /^pieces\.([0-9a-f-]{36})$/.exec(name) ?? []
    return id === undefined ? [] : [[id, text(name, 9)]]
  })
  return { name: text('name', 200), email: text('email', 320), pieces: Object.fromEntries(pieces.slice(0, 100)) }
}
