import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { addTool, type Tool } from '#store/catalogue/contract.ts'
import { SignInEnded } from '#store/identity/screens/sign-in-ended.tsx'
import { useFormAccount } from '#web/account.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { useCheckedForm } from '#web/checked-form.ts'
import { forgetDraft, keptDraft, useDraft } from '#web/draft.ts'
import { ErrorSummary } from '#web/error-summary.tsx'
import { Field } from '#web/field.tsx'
import { focused } from '#web/focused.ts'
import { useScript } from '#web/form.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { toast } from '#web/toast.tsx'
import type { Route } from './+types/add-tool'
import { FigureField } from './figure-field.tsx'
import { fields, labels, type TypedNewTool, typedNewTool } from './tool-form.ts'
import { ToolPreview } from './tool-preview.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Add a New Product | Nucleus of PC' }]

export const clientLoader = () => null

/** Specified so, for a product too; its name beside it says what was added. */
const addedWords = 'order placed successfully'

const empty: TypedNewTool = { name: '', img: '', description: '', price: '', minimum_order_quantity: '', available_quantity: '' }

export default function AddTool() {
  const [added, setAdded] = useState<Tool>()
  return (
    <Page title="Add a New Product" lead="Every field is needed. The product is for sale as soon as it is added." wide>
      {/* each product has a form of its own: nothing but a success leaves empty fields behind */}
      <NewToolForm key={added?._id} added={added} onAdded={setAdded} />
    </Page>
  )
}

function NewToolForm({ added, onAdded }: { added: Tool | undefined; onAdded: (tool: Tool) => void }) {
  const account = useFormAccount()
  const script = useScript()
  const [news, setNews] = useState<Tool | Refusal | undefined>(added)
  const draft = `add tool ${account?.email}`
  const form = useCheckedForm({
    resolver: zodResolver(typedNewTool),
    shouldFocusError: false,
    defaultValues: { ...empty, ...keptDraft<TypedNewTool>(draft) },
  })
  useDraft(form, draft)
  const { errors, isSubmitting } = form.formState
  const checked = (name: keyof TypedNewTool) => ({ id: name, required: true, error: errors[name]?.message, ...form.register(name) })
  const typed = useWatch({ control: form.control, compute: (values) => values })

  const submit = form.handleSubmit(async (tool) => {
    setNews(undefined)
    try {
      const added = await send(addTool, { body: tool })
      forgetDraft(draft)
      toast(addedWords, { detail: `${added.name} added. It is for sale now.` })
      onAdded(added)
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      toast(refusal.message, { kind: 'error' })
      setNews(refusal)
      for (const { name } of fields) if (refusal.errors[name]) form.setError(name, { message: refusal.errors[name] })
    }
  })

  return (
    <div className="grid gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,32rem)_minmax(0,24rem)]">
      <Panel className="sm:p-6">
        <form method="post" onSubmit={submit} noValidate={script} className="flex flex-col gap-4">
          <ErrorSummary form={form} fields={fields} />
          <Field label={labels.name} autoComplete="off" {...checked('name')} />
          <Field
            label={labels.img}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            hint="The address of a picture: it begins with https://, or with / for one of the store's own, like /drawings/multimeter.svg"
            {...checked('img')}
          />
          <Field label={labels.description} rows={4} hint="Buyers read the first lines in the list" {...checked('description')} />
          <FigureField label={labels.price} before="$" hint="For one piece, in whole dollars" {...checked('price')} />
          <FigureField label={labels.minimum_order_quantity} hint="The smallest order, in pieces" {...checked('minimum_order_quantity')} />
          <FigureField label={labels.available_quantity} hint="What can be sold now, in pieces" {...checked('available_quantity')} />
          <Button type="submit" busy={isSubmitting} busyWords="Adding">
            Add
          </Button>
          {news instanceof Refusal ? <NotAdded refusal={news} /> : news && <Added tool={news} onAnother={() => form.setFocus('name')} />}
        </form>
      </Panel>
      <ToolPreview typed={typed} />
    </div>
  )
}

function Added({ tool, onAnother }: { tool: Tool; onAnother: () => void }) {
  return (
    <Notice
      kind="success"
      title={addedWords}
      ref={focused}
      action={
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={`/purchase/${tool._id}`} look="quiet">
            View it
          </ButtonLink>
          <Button look="quiet" onClick={onAnother}>
            Add another
          </Button>
        </div>
      }
    >
      {tool.name} added. It is for sale now: view it as buyers do, or add another.
    </Notice>
  )
}

function NotAdded({ refusal }: { refusal: Refusal }) {
  if (refusal.status === 401) return <SignInEnded />
  if (refusal.leavesInDoubt)
    return (
      <Notice
        kind="error"
        title={refusal.message}
        action={
          <ButtonLink to="/dashboard/manageproducts" look="quiet">
            Manage Products
          </ButtonLink>
        }
      >
        We do not know whether the product has arrived. Look for it in Manage Products before you add it again. What you typed is kept.
      </Notice>
    )
  return (
    <Notice kind="error" title={refusal.message}>
      Nothing was added, and what you typed is kept. Mend it and add it again.
    </Notice>
  )
}
