import { useState } from 'react'
import { countryName } from '#shared/countries.ts'
import { formatDay } from '#shared/format-day.ts'
import { formatNumber } from '#shared/format-number.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { loadTaxRates, type TaxRateSet } from '#store/tax/contract.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Panel } from '#web/panel.tsx'
import { SelectField } from '#web/select-field.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'

/** Files of rates that can be loaded as a start. */
export function RateSetsSection({ sets, onChanged }: { sets: TaxRateSet[]; onChanged: () => Promise<void> }) {
  return (
    <section aria-labelledby="sets" className="flex flex-col gap-4">
      <div className="max-w-read">
        <h2 id="sets" className="text-xl">
          Load rates
        </h2>
        <p className="text-soft">
          A start, as of its date: check it, as rates change. Rates that are set already stay. A shop of the European Union that sells
          little abroad may tax at its own rates: then load its own country only.
        </p>
      </div>
      <ul className="grid gap-4 lg:grid-cols-2">
        {sets.map((set) => (
          <Panel as="li" key={set.key} aria-labelledby={`set-${set.key}`} className="flex flex-col gap-3">
            <RateSet set={set} onChanged={onChanged} />
          </Panel>
        ))}
      </ul>
    </section>
  )
}

function RateSet({ set, onChanged }: { set: TaxRateSet; onChanged: () => Promise<void> }) {
  const [country, setCountry] = useState('')
  const { submit, busy, refusal } = useSubmit({
    send: () => callApi(loadTaxRates, { body: { set: set.key, country: country || null } }),
    async onDone({ added, kept }) {
      toast(`${formatNumber(added)} ${added === 1 ? 'rate' : 'rates'} loaded`, {
        detail: kept > 0 ? `${formatNumber(kept)} stay as they are` : set.name,
      })
      await onChanged()
    },
  })
  return (
    <>
      <h3 id={`set-${set.key}`} className="text-lg">
        {set.name}
      </h3>
      <p>As of {formatDay(set.date)}.</p>
      <p className="text-sm wrap-anywhere text-soft">
        {set.note} Source: {set.source}.
      </p>
      {set.countries.length > 1 && (
        <SelectField
          label="Which countries"
          value={country}
          onChange={({ target }) => setCountry(target.value)}
          options={[
            { value: '', label: `All ${set.countries.length} countries` },
            ...set.countries.map((code) => ({ value: code, label: countryName(code) })),
          ]}
        />
      )}
      <div>
        <Button variant="quiet" busy={busy} busyLabel="Loading" aria-label={`Load, ${set.name}`} onClick={() => submit()}>
          Load
        </Button>
      </div>
      {refusal && <RefusalNotice refusal={refusal} />}
    </>
  )
}
