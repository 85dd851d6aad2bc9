{{- /* The variables of the container. Each comes from one place in values.yaml. */ -}}
{{- define "allowance.environment" -}}
{{- $settings := dict
  "PORT" "3000"
  "DATA_DIR" "/data"
  "PUBLIC_URL" .Values.publicUrl
  "TRUST_PROXY" (.Values.trustProxy | toString | default (ternary "1" "0" .Values.ingress.enabled))
}}
{{- $secrets := dict
  "DATABASE_URL" .Values.database.urlSecret
  "MIGRATION_DATABASE_URL" .Values.database.migrationUrlSecret
  "DATABASE_READ_URL" .Values.database.readUrlSecret
  "AUTH_SECRET" .Values.authSecret
  "GATEWAY_TOKENS" .Values.gatewayTokensSecret
  "METRICS_TOKEN" .Values.metrics.tokenSecret
}}
{{- range $name := concat (keys .Values.env) (keys .Values.secretEnv) }}
{{- if or (hasKey $settings $name) (hasKey $secrets $name) }}
{{- fail (printf "env.%s: the chart sets this variable; values.yaml has a value of its own for it" $name) }}
{{- end }}
{{- end }}
{{- range $name, $value := merge $settings .Values.env }}
{{- if ne (toString $value) "" }}
{{- /* As JSON, a large number has no exponent. */}}
- { name: {{ $name }}, value: {{ ternary $value (toJson $value) (kindIs "string" $value) | quote }} }
{{- end }}
{{- end }}
{{- range $name, $secret := merge $secrets .Values.secretEnv }}
{{- if $secret.name }}
- name: {{ $name }}
  valueFrom: { secretKeyRef: { name: {{ $secret.name }}, key: {{ $secret.key }} } }
{{- end }}
{{- end }}
{{- end }}
