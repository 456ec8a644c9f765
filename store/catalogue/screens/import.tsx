import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Import, listImports, runImport, showImport } from '#store/catalogue/contract.ts'
import { SignInEnded } from '#store/identity/screens/sign-in-ended.tsx'
import { inFigures } from '#store/in-figures.ts'
import { ButtonLink } from '#web/button.tsx'
import { focused } from '#web/focused.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Refusal } from '#web/refusal.ts'
import { orNotFound, send } from '#web/send.ts'
import { TextLink } from '#web/text-link.tsx'
import { When } from '#web/when.tsx'
import type { Route } from './+types/import'
import { ImportFile } from './import-file.tsx'
import { Found, many, type RunWish } from './import-found.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Import | Nucleus of PC' }]

/** Which import is in view stands in the address, so that the page may be left and found again. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const id = new URL(request.url).searchParams.get('id')
  if (id) return { shown: await send(showImport, { params: { id } }).catch(orNotFound), before: [] }
  return { shown: undefined, before: await send(listImports, {}) }
}

const askEveryMs = 700

export default function ImportScreen({ loaderData: { shown, before } }: Route.ComponentProps) {
  const navigate = useNavigate()
  return (
    <Page
      title="Import"
      lead="Bring products into the catalogue from a file, or change those that are there. Nothing is stored before you have seen what would change."
      wide
    >
      {shown ? (
        <OneImport key={shown._id} shown={shown} />
      ) : (
        <>
          <ImportFile onSent={({ _id }) => navigate({ search: `?id=${_id}` })} />
          {before.length > 0 && <Before imports={before} />}
        </>
      )}
    </Page>
  )
}

function OneImport({ shown }: { shown: Import }) {
  const [at, setAt] = useState(shown)
  const [refusal, setRefusal] = useState<Refusal>()
  const underWay = at.state === 'checking' || at.state === 'importing'

  const ask = useEffectEvent(async () => {
    try {
      setAt(await send(showImport, { params: { id: at._id } }))
      setRefusal(undefined)
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      setRefusal(refusal)
    }
  })
  useEffect(() => {
    if (!underWay) return
    let timer: ReturnType<typeof setTimeout>
    let left = false
    const waitAndAsk = () => {
      timer = setTimeout(async () => {
        await ask()
        if (!left) waitAndAsk()
      }, askEveryMs)
    }
    waitAndAsk()
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [underWay])

  async function run(wish: RunWish) {
    setRefusal(undefined)
    try {
      setAt(await send(runImport, { params: { id: at._id }, body: wish }))
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      setRefusal(refusal)
      if (refusal.status === 409) await ask()
    }
  }

  return (
    <>
      <p className="text-lg wrap-anywhere">
        <span className="font-semibold">{at.fileName}</span> <span className="text-soft">sent</span> <When at={at.at} />
      </p>
      {underWay && <UnderWay at={at} />}
      {refusal &&
        (refusal.status === 401 ? (
          <SignInEnded />
        ) : (
          <Notice kind="error" title={refusal.message}>
            {refusal.leavesInDoubt ? 'The import goes on by itself, and this page keeps asking how it stands.' : 'Nothing was imported.'}
          </Notice>
        ))}
      {at.state === 'failed' && (
        <Notice kind="error" title="Nothing was imported" action={<Again />} ref={focused}>
          {at.trouble}
        </Notice>
      )}
      {at.state === 'done' && at.report && <Done report={at.report} />}
      {at.report && !underWay && <Found at={at} report={at.report} onRun={run} />}
      {(at.state === 'done' || at.state === 'checked') && (
        <div>
          <Again />
        </div>
      )}
    </>
  )
}

const Again = () => (
  <ButtonLink look="quiet" to="/dashboard/import">
    Choose another file
  </ButtonLink>
)

/** How far it is, in words for everybody and as a bar for the eye. */
function UnderWay({ at }: { at: Import }) {
  const percent = Math.min(100, Math.floor((100 * at.bytesRead) / Math.max(at.bytes, 1)))
  const act = at.state === 'checking' ? 'Checking the file' : percent < 100 ? 'Reading the file again' : 'Writing the products'
  return (
    <div className="flex max-w-form flex-col gap-2">
      <p role="status" className="font-semibold">
        {act}
      </p>
      <progress value={percent} max={100} aria-label={act} className="h-3 w-full accent-leaf" />
      <p className="text-soft">
        <span className="figures">{inFigures(at.rowsRead)}</span> rows read, <span className="figures">{percent}</span> % of the file. You
        may leave this page and come back: it goes on by itself.
      </p>
    </div>
  )
}

function Done({ report: { create, update, wrong } }: { report: NonNullable<Import['report']> }) {
  return (
    <Notice
      kind="success"
      title={`Imported: ${inFigures(create)} new, ${inFigures(update)} changed`}
      ref={focused}
      action={<ButtonLink to="/allproducts">See all products</ButtonLink>}
    >
      {wrong > 0 ? `${many(wrong, 'wrong row was', 'wrong rows were')} left out.` : 'Every row of the file is in the catalogue.'}
    </Notice>
  )
}

const states: Record<Import['state'], string> = {
  uploading: 'being sent',
  checking: 'being checked',
  checked: 'checked, not imported',
  importing: 'being imported',
  done: 'imported',
  failed: 'nothing was imported',
}

function Before({ imports }: { imports: Omit<Import, 'report'>[] }) {
  return (
    <section aria-labelledby="before" className="flex flex-col gap-2">
      <h2 id="before" className="text-xl">
        Imports before
      </h2>
      <ul className="flex flex-col gap-2">
        {imports.map(({ _id, fileName, state, at }) => (
          <li key={_id} className="wrap-anywhere">
            <TextLink to={`?id=${_id}`}>{fileName}</TextLink>, <When at={at} />: {states[state]}
          </li>
        ))}
      </ul>
    </section>
  )
}
