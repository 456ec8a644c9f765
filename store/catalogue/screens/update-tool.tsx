import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useLocation } from 'react-router'
import { showTool, type Tool, updateTool } from '#store/catalogue/contract.ts'
import { SignInEnded } from '#store/identity/screens/sign-in-ended.tsx'
import { inFigures } from '#store/in-figures.ts'
import { useFormAccount } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { useCheckedForm } from '#web/checked-form.ts'
import { forgetDraft, keptDraft, useDraft } from '#web/draft.ts'
import { ErrorSummary } from '#web/error-summary.tsx'
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
import { When } from '#web/when.tsx'
import type { Route } from './+types/update-tool'
import { FigureField } from './figure-field.tsx'
import { figureFields, labels, type TypedToolChanges, typedToolChanges } from './tool-form.ts'
import { ToolPreview } from './tool-preview.tsx'

export const clientLoader = async ({ params }: Route.ClientLoaderArgs) => ({ tool: await send(showTool, { params }).catch(orNotFound) })

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData ? `Update ${loaderData.tool.name}` : 'Update product'} | Nucleus of PC` },
]

export default function UpdateTool({ loaderData: { tool } }: Route.ComponentProps) {
  const { state } = useLocation()
  const list = typeof state?.list === 'string' ? state.list : ''
  return (
    <Page title="Update product" lead={tool.name} wide>
      <ChangesForm key={tool._id} opened={tool} />
      <p>
        <TextLink to={{ pathname: '/dashboard/manageproducts', search: list }}>Back to Manage Products</TextLink>
      </p>
    </Page>
  )
}

const updatedWords = 'Product updated successfully'

/** `available_quantity_seen` is part of the draft: a figure typed at 40 must not bring back what was sold until it is sent. */
const asTyped = ({ price, minimum_order_quantity, available_quantity }: Tool): TypedToolChanges => ({
  price: `${price}`,
  minimum_order_quantity: `${minimum_order_quantity}`,
  available_quantity: `${available_quantity}`,
  available_quantity_seen: available_quantity,
})

type Saved = { at: string; wanted: number; tool: Tool }

function ChangesForm({ opened }: { opened: Tool }) {
  const account = useFormAccount()
  const script = useScript()
  const [tool, setTool] = useState(opened) // as the store has it, as far as we know
  const [news, setNews] = useState<Saved | Refusal>()
  const draft = `update tool ${tool._id} ${account?.email}`
  const [resumed, setResumed] = useState(() => JSON.stringify({ ...asTyped(tool), ...keptDraft(draft) }) !== JSON.stringify(asTyped(tool)))
  const form = useCheckedForm({
    resolver: zodResolver(typedToolChanges),
    shouldFocusError: false,
    defaultValues: { ...asTyped(tool), ...keptDraft<TypedToolChanges>(draft) },
  })
  useDraft(form, draft)
  const { errors, isSubmitting } = form.formState
  const checked = (name: (typeof figureFields)[number]['name']) => ({
    id: name,
    required: true,
    error: errors[name]?.message,
    ...form.register(name),
  })
  const typed = useWatch({ control: form.control, compute: (values) => values })
  const seen = Number(typed.available_quantity_seen)

  function startFrom(stored: Tool) {
    setTool(stored)
    setResumed(false)
    form.reset(asTyped(stored))
    forgetDraft(draft)
  }

  /** What was not touched follows the store; what was typed stays, beside the new "was". */
  async function lookAgain() {
    const now = await send(showTool, { params: { id: tool._id } })
    for (const name of ['price', 'minimum_order_quantity'] as const)
      if (form.getValues(name) === `${tool[name]}`) form.setValue(name, `${now[name]}`)
    setTool(now)
  }

  const submit = form.handleSubmit(async (changes) => {
    setNews(undefined)
    setResumed(false)
    try {
      const saved = await send(updateTool, { params: { id: tool._id }, body: changes })
      toast(updatedWords, { detail: saved.name })
      startFrom(saved)
      setNews({ at: new Date().toISOString(), wanted: changes.available_quantity, tool: saved })
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      toast(refusal.message, { kind: 'error' })
      setNews(refusal)
      for (const { name } of figureFields) if (refusal.errors[name]) form.setError(name, { message: refusal.errors[name] })
      if (refusal.status === 409) await lookAgain().catch(() => {}) // the words above have said already how many are left
    }
  })

  function loadStock() {
    setNews(undefined)
    form.setValue('available_quantity', `${tool.available_quantity}`)
    form.setValue('available_quantity_seen', tool.available_quantity)
    form.clearErrors('available_quantity')
    form.setFocus('available_quantity')
  }

  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,32rem)_minmax(0,24rem)]">
      <Panel className="sm:p-6">
        <form method="post" onSubmit={submit} noValidate={script} className="flex flex-col gap-4">
          <ErrorSummary form={form} fields={figureFields} />
          {resumed && (
            <Notice
              kind="info"
              title="Not saved yet"
              action={
                <Button look="quiet" onClick={() => startFrom(tool)}>
                  Go back to the saved figures
                </Button>
              }
            >
              These are the figures that you typed here earlier.
            </Notice>
          )}
          <Field
            label={labels.name}
            value={tool.name}
            readOnly
            hint="This page changes figures alone. An import of a file with this product's SKU changes its name and its description."
          />
          <Field label={labels.description} value={tool.description} readOnly rows={4} />
          <FigureField
            label={labels.price}
            before="$"
            hint={
              <>
                For one piece, in whole dollars (was <Dollars amount={tool.price} />)
              </>
            }
            {...checked('price')}
          />
          <FigureField
            label={labels.minimum_order_quantity}
            hint={
              <>
                The smallest order, in pieces (was <GroupedDigits number={tool.minimum_order_quantity} />)
              </>
            }
            {...checked('minimum_order_quantity')}
          />
          <FigureField
            label={labels.available_quantity}
            hint={
              <>
                What can be sold now, in pieces (was <GroupedDigits number={seen} />)
              </>
            }
            {...checked('available_quantity')}
          />
          {seen !== tool.available_quantity && (
            <Notice
              kind="warning"
              title="The stock has moved"
              action={
                <Button look="quiet" onClick={loadStock}>
                  Load the new stock
                </Button>
              }
            >
              When you began, {inFigures(seen)} pieces were available; now it is {inFigures(tool.available_quantity)}. Load the new stock,
              then enter the figure that you want.
            </Notice>
          )}
          <Button type="submit" busy={isSubmitting} busyWords="Saving">
            Update product
          </Button>
          {news instanceof Refusal ? (
            <NotSaved refusal={news} onLookAgain={() => lookAgain().then(() => setNews(undefined), setNews)} />
          ) : (
            news && <Updated {...news} />
          )}
        </form>
      </Panel>
      <ToolPreview typed={{ ...tool, ...typed }} stored={tool} />
    </div>
  )
}

function Updated({ at, wanted, tool }: Saved) {
  const meanwhile = tool.available_quantity - wanted
  return (
    <Notice kind="success" title={updatedWords} ref={focused}>
      {tool.name}, saved <When at={at} />.
      {meanwhile !== 0 &&
        ` The stock moved by ${inFigures(meanwhile)} while you typed, so it is ${inFigures(tool.available_quantity)} now, not ${inFigures(wanted)}.`}
    </Notice>
  )
}

function NotSaved({ refusal, onLookAgain }: { refusal: Refusal; onLookAgain: () => void }) {
  if (refusal.status === 401) return <SignInEnded />
  if (refusal.leavesInDoubt)
    return (
      <Notice
        kind="error"
        title={refusal.message}
        action={
          <Button look="quiet" onClick={onLookAgain}>
            Look again
          </Button>
        }
      >
        We do not know whether the change was saved. Look again before you save it a second time. What you typed is kept.
      </Notice>
    )
  return (
    <Notice kind="error" title={refusal.message}>
      Nothing was saved, and what you typed is kept.
    </Notice>
  )
}
