import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useNavigationType, useRevalidator } from 'react-router'
import { inStock, type Part, showPart, type Tool } from '#store/catalogue/contract.ts'
import { MakerAndNumber } from '#store/catalogue/screens/maker-and-number.tsx'
import { ToolPicture } from '#store/catalogue/screens/tool-picture.tsx'
import { phoneCharacters } from '#store/constants.ts'
import { SignedOutElsewhere, SignInEnded } from '#store/identity/screens/sign-in-ended.tsx'
import { inFigures } from '#store/in-figures.ts'
import { type Order, overBuyerLimit, placeOrder, showOrder } from '#store/orders/contract.ts'
import { typedWholeNumber } from '#store/typed-whole-number.ts'
import { useAccount, useFormAccount } from '#web/account.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { useCheckedForm } from '#web/checked-form.ts'
import { forgetDraft, keptDraft, useDraft } from '#web/draft.ts'
import { Field } from '#web/field.tsx'
import { focused } from '#web/focused.ts'
import { useScript } from '#web/form.ts'
import { Dollars, GroupedDigits } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { Refusal } from '#web/refusal.ts'
import { orNotFound, send } from '#web/send.ts'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { Trail } from '#web/trail.tsx'
import { When } from '#web/when.tsx'
import type { Route } from './+types/purchase'
import { NoLongerSold } from './no-longer-sold.tsx'
import { PayLink } from './pay-link.tsx'
import { type Typed, typedPurchaseForm } from './purchase-form.ts'
import { Quantity, useQuantity, type Wanted } from './quantity.tsx'

export async function clientLoader({ params, request }: Route.ClientLoaderArgs) {
  const asked = new URL(request.url).searchParams
  const [found, before] = await Promise.all([
    send(showPart, { params: { id: params.id } }).catch((refusal: unknown) => ({ refusal })),
    orderedBefore(asked.get('again')),
  ])
  if ('refusal' in found) {
    if (found.refusal instanceof Refusal && found.refusal.status === 404 && before?.toolId === params.id) return { gone: before }
    return orNotFound(found.refusal)
  }
  const { part } = found
  return { tool: part, wanted: typedWholeNumber(asked.get('quantity') ?? ''), before: before?.toolId === part._id ? before : undefined }
}

/** The order that is to be ordered again. It only helps: where it cannot be had, the form is there without it. */
async function orderedBefore(id: string | null): Promise<Order | undefined> {
  return id ? send(showOrder, { params: { id } }).catch(() => undefined) : undefined
}

export const meta = ({ loaderData }: Route.MetaArgs) => {
  const name = loaderData?.tool?.name ?? loaderData?.gone?.productName
  return [{ title: `${name ? `Order ${name}` : 'Order'} | Nucleus of PC` }]
}

export default function Purchase({ loaderData }: Route.ComponentProps) {
  return loaderData.tool ? <Offer {...loaderData} /> : <NoLongerSold order={loaderData.gone} />
}

/** @param before the order that is ordered again */
function Offer({ tool, wanted, before }: { tool: Part; wanted: number; before: Order | undefined }) {
  const account = useFormAccount()
  const [placed, setPlaced] = useState<Order>()
  const [missed, setMissed] = useState(false)
  return (
    <Page title={tool.name} trail={<Trail steps={[{ words: 'All tools', to: '/allproducts' }]} />} wide>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:gap-10">
        <Ordered tool={tool} />
        {placed?.toolId === tool._id ? (
          <Placed order={placed} />
        ) : inStock(tool) ? (
          <BuyerForm
            key={`${tool._id} ${wanted} ${account?.email}`}
            tool={tool}
            wanted={wanted}
            before={before}
            onPlaced={setPlaced}
            onMissed={() => setMissed(true)}
          />
        ) : (
          <Notice kind="warning" title="Out of stock" action={<ButtonLink to="/allproducts">All Tools Have on Stock</ButtonLink>}>
            {missed && 'Others were faster: nothing was ordered. '}The smallest order is {tool.minimum_order_quantity} pieces, and{' '}
            {inFigures(tool.available_quantity)} are left.
          </Notice>
        )}
      </div>
    </Page>
  )
}

/** What is about to be ordered, as the form beside it takes it. */
function Ordered({ tool }: { tool: Part }) {
  return (
    <div className="flex min-w-0 flex-col gap-3 lg:sticky lg:top-6">
      <div className="flex gap-4">
        <ToolPicture tool={tool} first className="aspect-3/2 w-28 self-start sm:w-44" />
        <div className="flex min-w-0 flex-col gap-1">
          <MakerAndNumber tool={tool} />
          <p className="text-xl font-semibold">
            Price: $<GroupedDigits number={tool.price} />
          </p>
        </div>
      </div>
      <p className="line-clamp-3 text-soft lg:line-clamp-6">{tool.description}</p>
      <p>
        Minimum Order Quantity: <GroupedDigits number={tool.minimum_order_quantity} />{' '}
        <span className="text-soft">
          = <Dollars amount={tool.minimum_order_quantity * tool.price} />
        </span>
      </p>
      <p>
        Available Quantity: <GroupedDigits number={tool.available_quantity} />
      </p>
      <p className="text-sm text-soft">
        <TextLink to={`/products/${tool._id}`}>All details</TextLink>, <TextLink to="/help#delivery">delivery</TextLink>,{' '}
        <TextLink to="/help#returns">returns</TextLink>, <TextLink to="/help#contact">questions</TextLink>
      </p>
    </div>
  )
}

type BuyerFormProps = {
  tool: Tool
  wanted: number
  /** the order that is ordered again */
  before: Order | undefined
  onPlaced: (order: Order) => void
  /** the shop has changed while the form was open: nothing was ordered */
  onMissed: () => void
}

function BuyerForm({ tool, wanted, before, onPlaced, onMissed }: BuyerFormProps) {
  const account = useFormAccount()
  const script = useScript()
  const { revalidate } = useRevalidator()
  const [refused, setRefused] = useState<{ refusal: Refusal; cost: number }>()
  const draft = `purchase ${tool._id} ${account?.email}` // whoever signs in next in this tab types their own
  const cameByLink = useNavigationType() === 'PUSH'
  const kept = keptDraft<Typed>(draft)
  const form = useCheckedForm({
    resolver: zodResolver(typedPurchaseForm(tool)),
    defaultValues: {
      address: before?.buyerAddress ?? '',
      phone_number: '',
      ...kept,
      // The quantity of the link that was just followed is a newer wish than an old draft; after a reload or a sign-in the draft is.
      quantity:
        (!(wanted && cameByLink) && kept.quantity) || String(before ? asManyAsToday(tool, wanted) : wanted || tool.minimum_order_quantity),
    },
  })
  const { register, handleSubmit, formState, setError, setValue } = form
  useDraft(form, draft)

  const wish = useQuantity(tool, form)
  const { trouble, toldTrouble } = wish
  const signedIn = useAccount() !== null
  const mayOrder = signedIn && refused?.refusal.status !== 401 // otherwise the notice has the button to go on with

  const submit = handleSubmit(async ({ address, phone_number, quantity }) => {
    setRefused(undefined)
    const cost = quantity * tool.price
    try {
      const order = await send(placeOrder, {
        idempotencyKey: requestKey(draft, { address, phone_number, quantity, cost }),
        body: {
          toolId: tool._id,
          productName: tool.name,
          productQuantity: quantity,
          productCost: cost,
          buyerAddress: address,
          phone_number,
        },
      })
      forgetDraft(draft)
      sessionStorage.removeItem(`request of ${draft}`)
      toast('order placed successfully')
      onPlaced(order)
      await revalidate() // the stock above has changed with it
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      toast(refusal.message, { kind: 'error' })
      if (refusal.errors.buyerAddress) setError('address', { message: refusal.errors.buyerAddress })
      if (refusal.errors.phone_number) setError('phone_number', { message: refusal.errors.phone_number })
      if ((refusal.status === 409 && refusal.code !== overBuyerLimit) || refusal.errors.productQuantity) {
        onMissed()
        await revalidate() // the shop has changed: what the form compares with follows
      }
      setRefused({ refusal, cost })
    }
  })

  /** Orders what the shop can give now: as many as there are, or at the price of today. */
  function orderInstead(quantity: number) {
    setValue('quantity', String(quantity))
    return submit()
  }

  return (
    <Panel look="raised" className="sm:p-6">
      <form method="post" onSubmit={submit} noValidate={script} className="flex flex-col gap-4">
        <h2 className="text-xl">Who orders, and where it goes</h2>
        {before && <Since tool={tool} before={before} />}
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name" value={account?.name ?? ''} readOnly hint="Name and e-mail are your account's" />
          <Field label="E-mail" value={account?.email ?? ''} readOnly />
        </div>
        <Field
          label="Address"
          rows={3}
          className="field-sizing-content min-h-24"
          autoComplete="street-address"
          required
          hint="Required. Street, town, postal code and country"
          error={formState.errors.address?.message}
          {...register('address')}
        />
        <Field
          label="Phone number"
          type="tel"
          autoComplete="tel"
          required
          hint={`Required. At least ${phoneCharacters} characters, best with country code, like +1 555 010 0199. Only for delivery questions`}
          error={formState.errors.phone_number?.message}
          {...register('phone_number')}
        />
        <Quantity tool={tool} form={form} wanted={wish} />
        {!signedIn && <SignedOutElsewhere />}
        {signedIn && refused && <RefusedOrder {...refused} tool={tool} wish={wish} onInstead={orderInstead} />}
        <Cost wish={wish} tool={tool} />
        {mayOrder && (
          <Button
            type="submit"
            disabled={trouble !== undefined}
            busy={formState.isSubmitting}
            busyWords="Ordering"
            aria-describedby={toldTrouble && 'why-not'}
            className="text-lg"
          >
            {trouble ? 'Order' : `Order ${inFigures(wish.quantity)} for $${inFigures(wish.quantity * tool.price)}`}
          </Button>
        )}
        <p className="text-sm text-soft">Nothing is charged yet: you pay by card on the next page.</p>
      </form>
    </Panel>
  )
}

/** As many as were ordered before, or as near to it as the shop allows today; `Since` says so. */
const asManyAsToday = ({ minimum_order_quantity: min, available_quantity: available }: Tool, wanted: number): number =>
  Math.min(Math.max(wanted || min, min), available)

/** What has changed since it was ordered last: nothing is changed silently. */
function Since({ tool, before }: { tool: Tool; before: Order }) {
  const was = before.productCost / before.productQuantity
  const tooFew = before.productQuantity < tool.minimum_order_quantity
  const tooMany = before.productQuantity > tool.available_quantity
  if (was === tool.price && !tooFew && !tooMany)
    return (
      <Notice kind="info">
        As in order {before.number} of <When at={before.placedAt} />: the price is the same.
      </Notice>
    )
  return (
    <Notice
      kind="warning"
      title={
        <>
          Changed since order {before.number} of <When at={before.placedAt} />
        </>
      }
    >
      <ul>
        {was !== tool.price && (
          <li>
            Price: was <Dollars amount={was} />, is <Dollars amount={tool.price} />
          </li>
        )}
        {tooFew && (
          <li>
            Smallest order: you ordered {inFigures(before.productQuantity)}, now {inFigures(tool.minimum_order_quantity)} pieces are the
            fewest
          </li>
        )}
        {tooMany && (
          <li>
            Stock: you ordered {inFigures(before.productQuantity)}, now {inFigures(tool.available_quantity)} are left
          </li>
        )}
      </ul>
    </Notice>
  )
}

/** The cost follows every key; what is heard waits for a pause. Where the quantity cannot be ordered, the field says why. */
function Cost({ wish: { quantity, settled, toldTrouble }, tool }: { wish: Wanted; tool: Tool }) {
  const cost = Number.isNaN(quantity) ? (
    <>
      <Dollars amount={tool.price} /> each
    </>
  ) : (
    <>
      <GroupedDigits number={quantity} /> x <Dollars amount={tool.price} /> ={' '}
      <Dollars amount={quantity * tool.price} className="font-semibold" />
    </>
  )
  return (
    <div className="text-lg">
      {!toldTrouble && <p aria-hidden="true">{cost}</p>}
      <p id="why-not" role="status" className="sr-only">
        {toldTrouble ?? (settled && cost)}
      </p>
    </div>
  )
}

type RefusedOrderProps = {
  refusal: Refusal
  /** what the order was to cost */
  cost: number
  tool: Tool
  wish: Wanted
  onInstead: (quantity: number) => void
}

function RefusedOrder({ refusal, cost, tool, wish: { quantity }, onInstead }: RefusedOrderProps) {
  if (refusal.status === 401) return <SignInEnded />
  if (refusal.leavesInDoubt)
    return (
      <Notice kind="error" title={refusal.message} ref={focused}>
        We do not know whether your order has arrived. What you typed is kept: order again, and it will be one order, not two.
      </Notice>
    )
  if (refusal.status === 404)
    return (
      <Notice
        kind="error"
        title={refusal.message}
        ref={focused}
        action={<ButtonLink to="/allproducts">All Tools Have on Stock</ButtonLink>}
      >
        It has left the catalogue while you were here. Nothing was ordered.
      </Notice>
    )
  if (refusal.code === overBuyerLimit)
    return (
      <Notice
        kind="error"
        title={refusal.message}
        ref={focused}
        action={
          <div className="flex flex-wrap gap-3">
            <ButtonLink look="quiet" to="/dashboard/myorder">
              My Orders
            </ButtonLink>
            <ButtonLink look="quiet" to="/dashboard">
              My Profile
            </ButtonLink>
            <ButtonLink look="quiet" to="/help#contact">
              Write to us
            </ButtonLink>
          </div>
        }
      >
        Nothing was ordered, and what you typed is kept.
      </Notice>
    )
  if (refusal.status === 409) {
    const { available_quantity: available, price } = tool
    const instead = Math.min(quantity, available)
    if (instead === quantity && quantity * price === cost)
      return (
        <Notice kind="error" title={refusal.message} ref={focused}>
          Nothing was ordered, and what you typed is kept. Price and stock are as they were: order again.
        </Notice>
      )
    return (
      <Notice
        kind="error"
        title={refusal.message}
        ref={focused}
        action={
          Number.isNaN(quantity) ? undefined : (
            <Button look="quiet" onClick={() => onInstead(instead)}>
              {instead < quantity ? `Order ${inFigures(instead)} instead` : `Accept $${inFigures(instead * price)}`}
            </Button>
          )
        }
      >
        Nothing was ordered, and what you typed is kept. The figures above are new
        {instead < quantity && `: ${inFigures(instead)} pieces cost $${inFigures(instead * price)}`}.
      </Notice>
    )
  }
  return (
    <Notice kind="error" title={refusal.message} ref={focused}>
      Nothing was ordered, and what you typed is kept. Mend it and order again.
    </Notice>
  )
}

/** The order is there and waits for its payment: one thing is left to do. */
function Placed({ order }: { order: Order }) {
  return (
    <Panel look="raised" className="flex flex-col gap-4 sm:p-6">
      <Notice kind="success" title="order placed successfully" ref={focused}>
        Order {order.number}: {inFigures(order.productQuantity)} x {order.productName} for <Dollars amount={order.productCost} />. The
        pieces are held for you until <When at={order.holdUntil} />; it is not paid yet.
      </Notice>
      <div className="flex flex-wrap gap-3">
        <PayLink order={order} className="grow text-lg">
          Pay <Dollars amount={order.productCost} />
        </PayLink>
        <ButtonLink to="/dashboard/myorder" look="quiet">
          My Orders
        </ButtonLink>
      </div>
    </Panel>
  )
}

/**
 * One name for one wish: sent again unchanged, after a lost answer or a second press, it is the same order. A changed wish is another, and so is
 * the next one after an order was placed.
 */
function requestKey(draft: string, wish: object): string {
  const place = `request of ${draft}`
  const kept: { wish?: string; key?: string } = JSON.parse(sessionStorage.getItem(place) ?? '{}')
  const said = JSON.stringify(wish)
  const key = kept.wish === said && kept.key ? kept.key : crypto.randomUUID()
  sessionStorage.setItem(place, JSON.stringify({ wish: said, key }))
  return key
}
