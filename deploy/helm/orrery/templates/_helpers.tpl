{{- define "orrery.name" -}}
{{- $name := ternary .Release.Name (printf "%s-orrery" .Release.Name) (contains "orrery" .Release.Name) }}
{{- $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "orrery.labels" -}}
app.kubernetes.io/name: orrery
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "orrery.selector" -}}
app.kubernetes.io/name: orrery
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "orrery.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "orrery.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{- define "orrery.scheme" -}}
{{ if .Values.tls.secret }}https{{ else }}http{{ end }}
{{- end -}}

{{- define "orrery.address" -}}
{{ include "orrery.scheme" . }}://{{ include "orrery.name" . }}.{{ .Release.Namespace }}.svc:8080
{{- end -}}

{{- define "orrery.routerToken" -}}
{{ required "router.tokenSecret: the Secret with the token by which routers read the server's routes" .Values.router.tokenSecret }}
{{- end -}}
