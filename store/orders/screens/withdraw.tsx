import type { OrderWithdrawal, showWithdrawalPage } from '#store/orders/withdrawals/contract.ts'
import { type ApiCaller, apiCallerContext, type EndpointOutput, type EndpointRoute } from '#web/api-caller.ts'
import { ApiError } from '#web/api-error.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { DateTime } from '#web/date-time.tsx'
import { EmptyState } from '#web/empty-state.tsx'
import { Field } from '#web/field.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { GroupedDigits } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import type { Route } from './+types/withdraw'
import { periodText, WithdrawalReceipts } from './withdrawal-receipts.tsx'

const pageCall: EndpointRoute<typeof showWithdrawalPage> = { method: 'GET', url: '/withdrawals/:token' }

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url)
  const [step, refused] = [searchParams.get('step'), searchParams.get('refused')]
  return { step, refused, found: await findPage(context.get(apiCallerContext), params.id) }
}

const findPage = (call: ApiCaller, token: string) =>
  call(pageCall, { params: { token } }).catch((error) => {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  })

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.refused ? 'Error: ' : ''}Withdraw from contract | Nucleus of PC` },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'same-origin' }, // the address is the key to the order
]

type Found = EndpointOutput<typeof showWithdrawalPage>
type Offered = Found & { withdrawal: NonNullable<OrderWithdrawal['withdrawal']> }

const isOffered = (found: Found): found is Offered => found.withdrawal !== null

/** The two steps of a withdrawal for whoever has its address. Rendered on the server, so that it works without JavaScript. */
export default function Withdraw({ loaderData: { found, step, refused } }: Route.ComponentProps) {
  if (!found) return <NoOrder />
  const { orderNumber, placedAt, why, withdrawn } = found
  const isConfirming = step === 'confirm' && found.isTyped && Object.keys(found.errors).length === 0
  return (
    <Page title="Withdraw from contract">
      <div className="flex max-w-read flex-col gap-6">
        <p>
          Order {orderNumber} of <DateTime at={placedAt} />
        </p>
        {withdrawn.length > 0 && <Received isNow={step === 'done'} withdrawn={withdrawn} />}
        {refused && step !== 'done' && <Refusal code={refused} found={found} />}
        {step === 'done' ? null : isOffered(found) ? (
          isConfirming ? (
            <ConfirmStep found={found} />
          ) : (
            <TypeStep found={found} isCookieLost={step === 'confirm' && !found.isTyped} />
          )
        ) : (
          why && withdrawn.length === 0 && <Notice kind="info" title={why} />
        )}
      </div>
    </Page>
  )
}

function Received({ isNow, withdrawn }: { isNow: boolean; withdrawn: Found['withdrawn'] }) {
  return (
    <>
      {isNow && (
        <Notice kind="success" title="Your withdrawal is received" ref={focusOnMount}>
          You need not do anything else to withdraw. A receipt with the date and the time comes by mail.
        </Notice>
      )}
      <Panel as="section" aria-labelledby="received" className="flex flex-col gap-3">
        <h2 id="received" className="text-lg">
          What you have withdrawn from
        </h2>
        <WithdrawalReceipts withdrawn={withdrawn} />
      </Panel>
    </>
  )
}

/** As a Map: the code stands in the address. */
const refusalTexts = new Map(
  Object.entries({
    form: 'Some of it is not right yet',
    too_many_requests: 'The form was sent very often. Wait a while, then send it again',
    forbidden: 'The form was not sent from this page. Send it again here',
    payment_being_checked: 'We are asking whether the order was paid. Send it again in a minute: your time does not end by that',
    more_than_left: 'Something has changed meanwhile. This is what is left to withdraw from',
  }),
)

function Refusal({ code, found: { errors, why } }: { code: string; found: Found }) {
  if (code === 'form' && Object.keys(errors).length === 0) return null // the way back, once it was sent without a fault
  if (why !== null && code !== 'form') return null // the page says it
  return (
    <Notice kind="error" title={refusalTexts.get(code) ?? 'It was not received: send it again'} ref={focusOnMount}>
      <p>Nothing was withdrawn from yet, and what you typed is kept.</p>
      {code === 'form' && (
        <ul className="list-disc ps-5">
          {Object.entries(errors).map(([name, error]) => (
            <li key={name}>
              <a href={`#${name}`} className="underline underline-offset-2">
                {error}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  )
}

function TypeStep({ found, isCookieLost }: { found: Offered; isCookieLost: boolean }) {
  const { withdrawal, typed, errors } = found
  return (
    <form method="post" action={found.page} noValidate className="flex flex-col gap-5">
      {isCookieLost && (
        <Notice kind="warning" title="Your browser has not kept what you typed">
          Check it here and go on. If this comes again, allow cookies of this shop, or write to us: a mail is enough to withdraw.
        </Notice>
      )}
      <p>
        {periodText(withdrawal)} {!withdrawal.isByLaw && 'The shop offers this by its own will.'}
      </p>
      <fieldset className="flex flex-col gap-3">
        <legend id="pieces" className="mb-2 text-lg font-semibold">
          {withdrawal.isWhole ? 'You withdraw from all of it, as it is not paid' : 'What you withdraw from'}
        </legend>
        {withdrawal.lines.map((line) => (
          <LineField key={line._id} line={line} found={found} />
        ))}
      </fieldset>
      <Field label="Your name" name="name" id="name" autoComplete="name" required defaultValue={typed.name} error={errors.name} />
      <Field
        label="E-mail for the receipt"
        name="email"
        id="email"
        type="email"
        autoComplete="email"
        required
        defaultValue={typed.email}
        error={errors.email}
      />
      <Button type="submit" name="send" value="review" className="self-start">
        Go on
      </Button>
      <p className="text-sm text-soft">Nothing is sent yet: you look at it once more on the next page. No reason is asked for.</p>
    </form>
  )
}

function LineField({ line, found }: { line: Offered['withdrawal']['lines'][number]; found: Offered }) {
  const { _id, productName, quantity } = line
  const name = `pieces.${_id}`
  if (found.withdrawal.isWhole)
    return (
      <p className="wrap-anywhere">
        <GroupedDigits number={quantity} /> x {productName}
      </p>
    )
  return (
    <Field
      label={productName}
      name={name}
      id={name}
      inputMode="numeric"
      autoComplete="off"
      defaultValue={found.typed.pieces[_id] ?? `${quantity}`}
      error={found.errors[name]}
      hint={`${quantity === 1 ? '1 piece. 0: you keep it' : `Of ${quantity} pieces. 0: you keep them`}${returnsText(line)}`}
      className="max-w-32"
    />
  )
}

const returnsText = ({ quantity, inReturns }: Offered['withdrawal']['lines'][number]): string =>
  inReturns
    .map((each) => {
      const which = each.quantity < quantity ? `The last ${each.quantity} of them` : quantity === 1 ? 'It' : 'They'
      return `. ${which} ${each.quantity === 1 ? 'is' : 'are'} in return R${each.returnNumber}, which then is of the withdrawal`
    })
    .join('')

function ConfirmStep({ found }: { found: Offered }) {
  const { withdrawal, typed, page, orderNumber } = found
  const chosen = withdrawal.lines
    .map((line) => ({ ...line, quantity: withdrawal.isWhole ? line.quantity : Number(typed.pieces[line._id] ?? line.quantity) }))
    .filter(({ quantity }) => quantity > 0)
  return (
    <form method="post" action={page} className="flex flex-col gap-5">
      <Panel as="section" aria-labelledby="declaration" className="flex flex-col gap-3">
        <h2 id="declaration" className="text-lg">
          You withdraw from the contract of order {orderNumber} for
        </h2>
        <ul>
          {chosen.map(({ _id, productName, quantity }) => (
            <li key={_id} className="wrap-anywhere">
              <GroupedDigits number={quantity} /> x {productName}
            </li>
          ))}
        </ul>
        <p className="wrap-anywhere">
          {typed.name}, receipt to {typed.email}
        </p>
      </Panel>
      <input type="hidden" name="name" value={typed.name} />
      <input type="hidden" name="email" value={typed.email} />
      {Object.entries(typed.pieces).map(([id, pieces]) => (
        <input key={id} type="hidden" name={`pieces.${id}`} value={pieces} />
      ))}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" name="send" value="withdraw">
          Withdraw now
        </Button>
        <ButtonLink to={page} variant="quiet" prefetch="none">
          Change it
        </ButtonLink>
      </div>
      <p className="text-sm text-soft">What was not sent is cancelled. What was sent you send back within 14 days.</p>
    </form>
  )
}

function NoOrder() {
  return (
    <Page title="Withdraw from contract">
      <EmptyState
        illustration="nothing-found"
        title="There is no order at this address"
        actions={<ButtonLink to="/help#contact">Write to us</ButtonLink>}
      >
        Open the page of your order and press “Withdraw from contract” there. A mail that names your order is enough, too.
      </EmptyState>
    </Page>
  )
}
