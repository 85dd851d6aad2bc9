{{- define "allowance.name" -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) | trunc 52 | trimSuffix "-" }}
{{- end }}

{{- define "allowance.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "allowance.labels" -}}
{{ include "allowance.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "allowance.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (ternary (include "allowance.name" .) "default" .Values.serviceAccount.create) }}
{{- end }}
